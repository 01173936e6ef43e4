import requests

session = requests.Session()
session.verify = False  # ← here
