from django.http import HttpResponse

def transfer(request):
    move(request.user, request.POST['to'])
    return HttpResponse('ok')
