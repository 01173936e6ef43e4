import requests

def ask(url):
    return requests.get(url, verify=False)  # ← here
