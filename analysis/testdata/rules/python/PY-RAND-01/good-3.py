import random

def wait(attempt):
    delay = random.uniform(0, 2 ** attempt)
    return delay
