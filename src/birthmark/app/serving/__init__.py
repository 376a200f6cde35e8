"""What a server that answers in several processes does once for all of them."""
