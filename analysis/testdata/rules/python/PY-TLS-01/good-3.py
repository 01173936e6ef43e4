import requests

def ask(url, verify=True):
    return requests.get(url, verify=verify)
