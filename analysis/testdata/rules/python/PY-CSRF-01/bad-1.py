from django.views.decorators.csrf import csrf_exempt
from django.http import HttpResponse

@csrf_exempt
def transfer(request):
    move(request.user, request.POST['to'], request.POST['amount'])
    return HttpResponse('ok')
