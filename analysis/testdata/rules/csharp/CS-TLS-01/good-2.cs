namespace Shop;

public class Orders
{
  public HttpClient Create()
  {
    var handler = new HttpClientHandler();
    handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => errors == SslPolicyErrors.None;
    return new HttpClient(handler);
  }
}
