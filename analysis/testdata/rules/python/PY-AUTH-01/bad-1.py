from django.http import HttpResponse

def purge(request):
    assert request.user.is_staff  # ← here
    return HttpResponse(clear())
