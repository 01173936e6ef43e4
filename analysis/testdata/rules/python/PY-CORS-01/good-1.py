import os
from flask import Flask
app = Flask(__name__)

from flask_cors import CORS
CORS(app, origins=['https://shop.example.com'], supports_credentials=True)
