import logging
def submit_kyc(request):
    logging.info(request.data)  # ← here
