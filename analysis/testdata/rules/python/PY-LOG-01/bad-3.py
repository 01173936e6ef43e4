import logging
log = logging.getLogger(__name__)

def pay(card):
    log.error('declined: ' + card['card_number'])  # ← here
