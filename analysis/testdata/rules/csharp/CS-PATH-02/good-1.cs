using System.IO.Compression;

namespace Shop;

public class Orders
{
  public void Unpack(Stream upload, string folder)
  {
    using var archive = new ZipArchive(upload);
    foreach (var entry in archive.Entries)
    {
      var path = Path.GetFullPath(Path.Combine(folder, entry.FullName));
      if (!path.StartsWith(folder + Path.DirectorySeparatorChar)) throw new IOException();
      entry.ExtractToFile(path, true);
    }
  }
}
