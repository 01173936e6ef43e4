import xml.etree.ElementTree as ET
from flask import Flask, request
app = Flask(__name__)

root = ET.parse('people.xml').getroot()

@app.route('/person')
def person():
    return str(root.findall(f"./person[@name='{request.args['name']}']"))  # ← here
