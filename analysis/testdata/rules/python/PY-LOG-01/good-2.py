import logging
logger = logging.getLogger(__name__)

def connect(settings):
    logger.debug('key ends in %s', settings.api_key[-4:])
