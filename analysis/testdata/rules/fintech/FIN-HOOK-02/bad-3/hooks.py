import hmac, hashlib
def check_signature(body, header, webhook_secret):
    if webhook_secret:  # ← here
        expected = hmac.new(webhook_secret, body, hashlib.sha512).hexdigest()
        if not hmac.compare_digest(expected, header):
            raise PermissionError
