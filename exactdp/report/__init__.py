# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and certificates for people: text, LaTeX, HTML, JSON, pictures. Nothing is computed here.

The module of each topic (:mod:`exactdp.report.registry` lists them) says once what is worth telling about its
evidence; the renderers :mod:`~exactdp.report.text`, :mod:`~exactdp.report.latex`, :mod:`~exactdp.report.html` and
:mod:`~exactdp.report.json` share it.
"""
