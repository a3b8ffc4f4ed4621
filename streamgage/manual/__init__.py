"""The manual, from the program itself: pages for ``man``, and the documentation's reference.

``python -m streamgage.manual`` writes the pages in ``man/``; with ``--check`` it only says which
are out of date (exit status 1), which is what the tests do. ``scripts/docs_site.py`` has the pages
of the documentation from here.
"""
