"""Generates the manual from the program: pages for ``man``, and the documentation's reference.

``python -m streamgage.manual FOLDER`` writes the pages for ``man``, and ``python -m
streamgage.manual.schema FOLDER`` the JSON Schemas. The build installs both.
``scripts/docs_site.py`` makes the documentation's pages with this package.
"""
