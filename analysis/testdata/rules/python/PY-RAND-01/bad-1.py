import random
import string

def reset(user):
    user.reset_token = ''.join(random.choice(string.ascii_letters) for _ in range(20))  # ← here
