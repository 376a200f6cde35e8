"""The server part, which the core never imports.

Databases, fleets, questions across repositories, many repositories behind one server, user tokens, delivery.
"""
