using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  private static readonly Dictionary<string, Func<HashAlgorithm>> Algorithms = new()
  {
    { "md5", () => MD5.Create() },
    { "sha256", () => SHA256.Create() },
  };
}
