import hmac
from django.views.decorators.csrf import csrf_exempt
from django.http import HttpResponse

@csrf_exempt
def paid(request):
    if not hmac.compare_digest(sign(request.body), request.headers['X-Signature']):
        return HttpResponse(status=401)
    note(request.body)
    return HttpResponse('ok')
