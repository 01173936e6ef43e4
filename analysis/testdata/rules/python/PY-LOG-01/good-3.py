import logging
logger = logging.getLogger(__name__)

def reset(user):
    logger.info('password of %s was reset', user.name)
    logger.info('has one: %s', bool(user.password))
