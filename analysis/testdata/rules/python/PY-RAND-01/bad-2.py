import random

def make_otp():
    return str(random.randint(100000, 999999))  # ← here
