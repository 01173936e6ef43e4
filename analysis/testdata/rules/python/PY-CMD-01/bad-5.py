import os

def clone(address, folder):
    os.system('git clone ' + address + ' /srv/' + folder)  # ← here
