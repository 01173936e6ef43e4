from django.http import HttpResponse
import html

def hello(request):
    return HttpResponse('Hello ' + html.escape(request.GET.get('name', '')))
