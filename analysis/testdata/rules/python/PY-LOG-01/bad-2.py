import logging
logger = logging.getLogger(__name__)

def connect(settings):
    logger.debug(f"connecting with {settings.api_key}")  # ← here
