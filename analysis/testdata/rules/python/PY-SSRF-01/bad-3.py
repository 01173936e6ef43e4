from urllib.request import urlopen
from django.http import HttpResponse

def picture(request):
    address = request.GET['from']
    return HttpResponse(urlopen(address).read(), content_type='image/png')  # ← here
