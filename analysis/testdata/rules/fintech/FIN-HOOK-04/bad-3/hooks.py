import hmac, hashlib
def paystack(request):
    expected = hmac.new(KEY, request.body, hashlib.sha512).hexdigest()
    if expected != request.headers['x-paystack-signature']:  # ← here
        raise PermissionError
