import random
import string


def invite(user):
    token = ''.join(random.choices(string.ascii_letters, k=32))  # ← here
    user.send(token)
