<?php
$context = stream_context_create(['http' => [
    'timeout' => 30,
    'header' => ['Authorization: Bearer ' . getenv('HELIOGRAPH_API_KEY')],
]]);
do {
    $query = ['limit' => 1000];
    if (is_file('cursor')) {
        $query['cursor'] = file_get_contents('cursor');
    }
    $url = getenv('HELIOGRAPH_URL') . '/v1/events?' . http_build_query($query);
    $page = json_decode(file_get_contents($url, false, $context), true);
    foreach ($page['data'] as $event) {
        echo $event['id'], ' ', $event['type'], ' ', json_encode($event['data']), "\n";
    }
    file_put_contents('cursor', $page['next_cursor']);
} while ($page['has_more']);
