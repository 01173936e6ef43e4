import os

def lights():
    for name in ['red', 'green']:
        os.system('light ' + name)
