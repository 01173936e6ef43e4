import marshal
from django.http import HttpResponse

def run(request):
    return HttpResponse(marshal.loads(request.body))  # ← here
