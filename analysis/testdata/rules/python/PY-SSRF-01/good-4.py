import requests

def download(url):
    return requests.get(url, timeout=10).content
