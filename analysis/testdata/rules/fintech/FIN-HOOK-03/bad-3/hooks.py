import hmac, hashlib, json
def paystack(request):
    expected = hmac.new(KEY, json.dumps(request.data).encode(), hashlib.sha512).hexdigest()  # ← here
    if expected != request.headers['x-paystack-signature']:
        raise PermissionError
