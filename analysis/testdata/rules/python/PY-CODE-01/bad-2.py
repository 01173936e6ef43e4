from django.http import HttpResponse

def calculate(request):
    body = request.POST.get('body', '')
    exec('value = ' + body)  # ← here
    return HttpResponse('done')
