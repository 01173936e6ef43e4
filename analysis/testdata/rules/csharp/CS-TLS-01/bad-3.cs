using System.Net;

namespace Shop;

public class Orders
{
  public void Configure()
  {
    ServicePointManager.ServerCertificateValidationCallback += delegate { return true; }; // ← here
  }
}
