# SPDX-License-Identifier: MIT
"""Verdicts, mechanisms and certificates for people: text, LaTeX, HTML, JSON, pictures. It computes nothing.

The module of each topic (:mod:`exactdp.report.registry` lists them) says once what is worth telling about its
evidence; the renderers ``text``, ``latex``, ``html`` and ``json`` share it.
"""
