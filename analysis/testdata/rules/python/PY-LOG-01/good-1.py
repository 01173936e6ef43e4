import logging

def login(name, password):
    logging.info('login %s', name)
