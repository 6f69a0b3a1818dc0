filedesc://a.arc 0.0.0.0 20240101000000 text/plain 68
1 0 Nobody
URL IP-address Archive-date Content-type Archive-length


http://example.org/1 192.0.2.1 20240101000000 text/html 607
Page 1 has a few words.
Page 1 has a few words.
Page 1 has a few words.
Page 1 has a few words.
And an end.
http://example.org/2 192.0.2.2 20240101000000 text/html 107
Page 2 has a few words.
Page 2 has a few words.
Page 2 has a few words.
Page 2 has a few words.
And an end.
