import requests

def ask(url):
    return requests.get(url, verify='/etc/ssl/own.pem')
