from django.http import HttpResponseRedirect

def leave(request):
    return HttpResponseRedirect('https://' + request.GET['host'] + '/bye')  # ← here
