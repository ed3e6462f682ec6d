"""How often something happened in so many rounds: by table, dealer, device, article.

`rates` is pure; `rate_queries` asks the book. A rate is an exact fraction, shown rounded.
"""
