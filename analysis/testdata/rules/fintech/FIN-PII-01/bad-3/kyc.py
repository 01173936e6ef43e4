import logging
def check(person):
    logging.info('checking %s', person.bvn)  # ← here
