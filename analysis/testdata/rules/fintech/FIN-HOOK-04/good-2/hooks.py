import hmac, hashlib
def paystack(request):
    expected = hmac.new(KEY, request.body, hashlib.sha512).hexdigest()
    if not hmac.compare_digest(expected, request.headers['x-paystack-signature']):
        raise PermissionError
