"""The manual, from the program itself: pages for ``man``, and the documentation's reference.

``python -m streamgage.manual FOLDER`` writes the pages for ``man``, and ``python -m
streamgage.manual.schema FOLDER`` the JSON Schemas. The build installs both, and
``scripts/docs_site.py`` has the pages of the documentation from here.
"""
