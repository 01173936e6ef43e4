import random

def reset(user):
    user.reset_token = str(random.SystemRandom().randint(1, 10**9))
