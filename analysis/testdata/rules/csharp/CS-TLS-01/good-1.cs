namespace Shop;

public class Orders
{
  public HttpClient Create() => new(new HttpClientHandler());
}
