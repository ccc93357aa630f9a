# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and certificates for people: text, LaTeX, HTML, JSON, pictures. Nothing is computed
here, only shown.

:mod:`exactdp.report.facts` says once what is worth telling about each kind of evidence; the renderers share
it.
"""
