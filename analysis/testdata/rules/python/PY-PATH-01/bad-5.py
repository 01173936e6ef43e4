import os
from django.http import FileResponse, HttpResponse

def delete(request):
    if not request.GET['name'].startswith('/srv/files'):
        return HttpResponse(status=400)
    os.remove(request.GET['other'])  # ← here
    return HttpResponse()
