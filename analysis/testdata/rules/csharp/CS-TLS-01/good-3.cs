namespace Shop;

public class Orders
{
  public HttpClient Create(IHostEnvironment environment)
  {
    var handler = new HttpClientHandler();
    if (environment.IsDevelopment())
      handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => true;
    return new HttpClient(handler);
  }
}
