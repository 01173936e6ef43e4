using Newtonsoft.Json;

namespace Shop;

public class Orders
{
  private static readonly JsonSerializerSettings Settings = new()
  {
    TypeNameHandling = TypeNameHandling.All, // ← here
  };
}
