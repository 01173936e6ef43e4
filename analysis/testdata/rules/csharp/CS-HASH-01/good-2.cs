using System.Security.Cryptography;
using System.Text;

namespace Shop;

public class Orders
{
  public string CacheKey(string url) => Convert.ToHexString(MD5.HashData(Encoding.UTF8.GetBytes(url)));
}
